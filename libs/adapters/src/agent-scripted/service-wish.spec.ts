import { objectNamed, serviceNamed } from './service-wish.js';

describe('the service that a wish names', () => {
  test.each([
    ['book an appointment for the first of december at 10am', null],
    ['book an appointment the day after tomorrow at 10am', null],
    ['book a slot wed 4pm', null],
    ['book an appointment last monday at 10am', null],
    ['book an appointment every monday at 10am', null],
    ['book an appointment tomorrow not before 10am', null],
    ['book it again for monday at 9', null],
    ['the earliest', null],
    ['book nov. 23rd at 10', null],
    ['book may 6th at 4pm', null],
    ['book the twenty-third of november at 10', null],
    ['book a haircut tue 24 nov at 10am', 'haircut'],
    ['book a sun bed session', 'sun bed'],
    ['can we have our next massage appointment on friday at 3pm', 'massage'],
    ['our son needs a cleaning appointment, book friday at 10', 'cleaning'],
    ['my daughter wants an eye test appointment, can you book friday at 10', 'eye test'],
    ["i'd like a wash and a cut appointment on friday at 10", 'wash and a cut'],
    ['ok book me an eye test then, tomorrow at noon', 'eye test'],
    ['actually i want a haircut', 'haircut'],
    ['book tomorrow at 10am for a checkup', 'checkup'],
    ['book me in tomorrow at 10am for a root canal please', 'root canal'],
    ['book tomorrow at 10am for an hour', null],
    ['book tomorrow at 10am for a friend', null],
    ['book tomorrow at 10am for a while', null],
    ['book tomorrow at 10am. Thanks for a great service last time', null],
    ["Please book tomorrow at 10am, I'm looking for a good dentist", null],
    ['book tomorrow at 10am for a few minutes', null],
    ['book tomorrow at 10am for a full hour', null],
    ['book tomorrow at 10am for a quarter of an hour', null],
    ['book tomorrow at 10am for a colleague', null],
    ['book tomorrow at 10am for a party of four', null],
    ['book tomorrow at 10am for some reason it fails', null],
    ['book a table tomorrow at 10am for a party of four', 'table'],
    ['book tomorrow at noon for a checkup', 'checkup'],
    ['book Friday for a checkup', 'checkup'],
    ['book next month on the 3rd at 10am', null],
    ['book an early slot tomorrow 7am', null],
    ['book an early massage tomorrow 7am', 'massage'],
  ])('%j: %s', (text, service) => {
    expect(serviceNamed(text)).toBe(service);
  });
});

describe('what an order is about', () => {
  test.each([
    ['cancel the haircut', 'haircut'],
    ['move my dental cleaning to friday', 'dental cleaning'],
    ['cancel both haircuts', 'haircuts'],
    ['cancel all my appointments', null],
    ['cancel my appointment', null],
    ['push it an hour earlier', null],
    ['i want to cancel, sorry', null],
  ])('%j: %s', (text, object) => {
    expect(objectNamed(text)).toBe(object);
  });
});
