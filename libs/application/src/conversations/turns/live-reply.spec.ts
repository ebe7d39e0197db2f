import fc from 'fast-check';
import { afterPoints, LiveReply, type ReplyPlace } from './live-reply.js';
import { stepsTo } from '../follow/reply-steps.js';

const begun = (isChangedAtEnd = false) => new LiveReply('3', isChangedAtEnd, () => undefined);

describe('a reply that is being written', () => {
  it('grows by what is added', () => {
    const reply = begun();
    reply.add('Hel');
    reply.add('lo');
    expect([reply.run, reply.text]).toEqual(['3', 'Hello']);
  });

  it('is another run after a reset, but for one of nothing', () => {
    const reply = begun();
    reply.reset();
    expect(reply.run).toBe('3');
    reply.add('Hello');
    reply.reset();
    expect([reply.run, reply.text]).toEqual(['3-1', '']);
  });

  it('is completed by the rest, or anew where it became another', () => {
    const [one, other] = [begun(), begun()];
    for (const reply of [one, other]) reply.add('Hel');
    one.complete('Hello');
    other.complete('Goodbye');
    expect([one.run, one.text, other.run, other.text]).toEqual(['3', 'Hello', '3-1', 'Goodbye']);
  });

  it('is not said before its end where it is changed there', () => {
    const reply = begun(true);
    reply.add('**Hello**');
    expect(reply.text).toBe('');
    reply.complete('Hello');
    expect([reply.run, reply.text]).toEqual(['3', 'Hello']);
  });

  it('never has half a character', () => {
    const reply = begun();
    reply.add('a\ud83d');
    expect(reply.text).toBe('a');
    reply.add('\ude00');
    expect(reply.text).toBe('a😀');
  });

  it('tells of each change', () => {
    let changes = 0;
    const reply = new LiveReply('3', false, () => changes++);
    reply.add('a');
    reply.add('');
    reply.reset();
    reply.reset();
    reply.complete('b');
    expect(changes).toBe(3);
  });
});

describe('the rest of a text', () => {
  it('begins after so many code points', () => {
    expect([afterPoints('😀a😀', 0), afterPoints('😀a😀', 2), afterPoints('😀a😀', 9)]).toEqual(['😀a😀', '😀', '']);
  });
});

type Act = { readonly add: string } | 'reset' | 'look' | 'lose';
const act = fc.oneof<fc.Arbitrary<Act>[]>(
  fc.string({ unit: 'binary', maxLength: 5 }).map((add) => ({ add })),
  fc.constantFrom('reset', 'look', 'lose'),
);

describe('whoever reads a reply', () => {
  it('has in the end the deltas since the last reset equal to it, however it was written and often lost', () => {
    fc.assert(
      fc.property(fc.array(act), fc.string({ unit: 'binary' }), (acts, content) => {
        const reply = begun();
        const reader: { place: ReplyPlace | null } = { place: null };
        let read = '';
        const look = () => {
          for (const step of stepsTo(reader.place, reply.run, reply.text)) {
            read = step.is === 'reset' ? '' : read + step.delta;
            reader.place = step.place;
          }
        };
        for (const each of acts) {
          if (each === 'look') look();
          else if (each === 'reset') reply.reset();
          // A new connection goes on at the place of the last event.
          else if (each === 'lose') reader.place = reader.place && { ...reader.place };
          else reply.add(each.add);
        }
        reply.complete(content);
        look();
        expect(read).toBe(content);
      }),
    );
  });
});
