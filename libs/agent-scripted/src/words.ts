const VERBS = ['book', 'confirm', 'move', 'cancel'] as const;
export type Verb = (typeof VERBS)[number];
export const isVerb = (slot: string): slot is Verb => VERBS.some((verb) => verb === slot);

/** Comma-separated phrases by slot. The longest match wins; a phrase has one slot. */
const PHRASES = {
  book: `book, book in, book me in, book it in, schedule, schedule me in, reserve, arrange, set up, set me up,
    make an appointment, make me an appointment, make a booking, make a reservation, make a new appointment, put me down,
    pencil me in, sign me up, can i come, can i come in, could i come, could i come in, may i come, i want to come,
    i'd like to come, i would like to come, fit me in, squeeze me in`,
  confirm: 'confirm, i confirm my, i confirm the',
  move: `move, reschedule, rebook, change, shift, switch, postpone, push, put off, make it, make that, make this, bring forward,
    bring it forward, bring that forward, bring my appointment forward`,
  cancel: 'cancel, call off, drop, delete, remove, scrap',
  come: `when should i come, when do i come, when do i have to come, when do i need to come, when must i come, am i booked,
    when am i booked`,
  show: `when, when is, when's, when are, what, what is, what's, what are, which, do i have, do i still have, have i, have i got,
    show, list, view, see, tell me, tell me about, remind me, remind me of`,
  filler: `a, an, the, my, i, me, for, on, at, and, please, pls, plz, kindly, can you, could you, would you, will you, can i,
    could i, may i, can we, could we, can i have, could i have, may i have, can i get, could i get, i'd like, i'd like to,
    i'd like to have, i'd like to get, i would like, i would like to, i would like to have, i would like to get, i want,
    i want to, i want to have, i want to get, i need, i need to, i need to have, i need to get, i'd love, i'd love to,
    i would love to, i'd prefer, i wish to, we'd like to, we want to, we need to, let's, let's do, let me, give me, get me,
    would you mind, quick, so, well, um, uh, er, hmm, oh, then, just, up, myself, instead, that would be great, that'd be great,
    that would be nice, would be great, if you please, be so kind, be so kind as to, there, same time, time, date, day, to be,
    to have, to get, to come, do me a favour, do me a favor, thanks in advance, thank you in advance, thx in advance, dear, sir,
    madam, now, o'clock, 🙂, 😊, 😀, 😃, 😄, 😁, 😉, 😍, 🥰, 🤗, ☺, 🙏, ❤, 💕, 🎉, ✨, 👋`,
  from: 'from',
  to: 'to',
  visit: `appointment, booking, reservation, slot, visit, one, spot, next appointment, next booking, next visit, next one,
    new appointment, new booking, upcoming appointment`,
  visits: 'appointments, bookings, reservations, visits, my schedule, my calendar',
  it: 'it, that, this, that one, this one, that appointment, this appointment',
  all: 'all, both, everything, every, each, both of them, all of them, them, all my appointments',
  later: 'later, back, out',
  earlier: 'earlier, sooner',
  person: `human, humans, human being, person, real person, real human, people, agent, agents, live agent, representative,
    representatives, rep, operator, somebody, someone, anybody, anyone, advisor, adviser, receptionist, employee, manager,
    supervisor, customer service, customer support, support agent, staff, staff member, member of staff, service representative`,
  closing: `bye, goodbye, good bye, that's all, that is all, that was all, that's all for today, that is all for today,
    that's all i needed, that's everything, that is everything, that's it, that is it, done, all done, i'm done, i am done,
    we're done, we are done, see you, see you soon, see you later, see you tomorrow, nothing else, have a nice day,
    have a great day, have a good day, have a good one, take care, good night, ciao, talk soon`,
  thanks: `thanks, thank you, many thanks, thx, ty, cheers, much appreciated, very much, so much, a lot, thanks again,
    i appreciate it, for your help, very kind`,
  greeting: 'hello, hi, hey, hiya, good morning, good afternoon, good evening, good day, greetings, howdy, welcome',
  help: `help, what can you do, what do you do, what can i do, what can i do here, what do you offer, how does this work,
    how can you help, menu, options`,
  yes: `yes, y, yep, yess, yesss, yeah, yea, yup, sure, sure thing, ok, okay, okey, k, kk, do it, do that, do so, please do,
    perfect, great, good, fine, cool, lovely, wonderful, excellent, awesome, brilliant, super, nice, sounds good, sounds great,
    sounds perfect, sounds fine, that sounds good, that sounds great, looks good, good idea, that's fine, that is fine,
    that's good, that's great, that's perfect, that's ok, that's okay, that's right, that's correct, works, that works, it works,
    go ahead, go for it, of course, absolutely, definitely, certainly, by all means, correct, right, exactly, indeed, agreed,
    deal, alright, all right, all good, very good, very well, i do, i confirm, yes i would, you may, totally, fine by me,
    fine with me, suits me, that suits me, it suits me, happy with that, gladly, 👍, 👌, ✅, ✔, 💯, 🆗`,
  no: `no, n, nope, nah, nay, no thanks, no thank you, not now, not yet, no need, leave it, keep it, leave that, keep that,
    leave it as it is, leave it as is, keep it as it is, leave everything as it is, leave it be, leave it alone, never mind,
    nevermind, forget it, forget that, forget about it, don't, please don't, do not, don't do it, don't do that, rather not,
    better not, i'd rather not, i do not, no way, not really, stop, scratch that, changed my mind,
    don't bother, 👎, ❌, 🚫`,
  contact: `my address, my address is, my new address is, i live at, my phone, my phone number, my phone number is, my number is,
    my mobile, my mobile number is, my email, my email is, my email address is, my e mail, my e mail is, my postcode is,
    my zip code is, street, avenue, postcode, @contact`,
  whatever: `anything, whatever, doesn't matter, it doesn't matter, does not matter, i don't mind, no matter, nothing special,
    nothing in particular, general, any, any service, not sure, don't know`,
  choice: 'first, second, third, fourth, fifth, last',
  service: `checkup, check up, cleaning, clean, massage, haircut, cut, trim, consultation, consult, filling, whitening, shave,
    facial, manicure, pedicure, mani pedi, waxing, wax, colour, color, colouring, coloring, highlights, perm, blow dry, blowdry,
    styling, wash, canal, crown, extraction, x ray, xray, exam, examination, physical, vaccination, jab, test, therapy, session,
    training, lesson, class, tattoo, piercing, physiotherapy, physio, acupuncture, fitting, inspection, repair, oil change,
    tyre change, tire change, viewing, tour, demo, meeting, interview, treatment, scan, ultrasound, screening, follow up,
    followup, hygiene, scaling, polish, polishing, braces, adjustment, alignment, pickup, delivery, grooming, workshop, coaching,
    counselling, counseling, yoga, pilates, assessment, cut and color, cut and colour, cut and blow dry, wash and cut,
    cut and shave, exam and cleaning, checkup and cleaning, cleaning and checkup`,
};

/** A word in no table is unread. */
export type Slot = keyof typeof PHRASES;

const listed = (phrases: string) => phrases.split(/,\s+/);

export const VOCABULARY = new Map(Object.entries(PHRASES).map(([slot, phrases]) => [slot as Slot, listed(phrases)] as const));

/** Words before a service that belong to it. */
export const MODIFIERS = listed(`dental, teeth, tooth, back, neck, shoulder, foot, feet, head, hand, body, full body, full,
  deep tissue, hot stone, thai, swedish, sports, sport, beard, men's, mens, women's, womens, ladies, kids, children's, child, eye,
  vision, hearing, hair, routine, annual, yearly, regular, initial, medical, general, health, legal, tax, design, video, online,
  skin, nail, gel, personal, couples, relaxing, emergency, dry, wet, root, blood, follow up, pre op, post op, physical, dog, cat,
  pet, car, business, career, financial`);

/** Words that say which or whose, never part of a service's name. */
export const NO_NAME = listed(`our, his, her, their, your, next, another, other, first, second, third, same, new, some, any, no,
  not, more, two, three, four, every, available, free, usual, last, previous, early, late, friend, while, few, minutes, full,
  needed, if, when, or, but, with, without, by, before, after, until, unless, only, i'm, is, are, was, were, have, had, my`);
