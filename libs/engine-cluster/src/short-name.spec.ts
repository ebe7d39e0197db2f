import { MongoNetworkError, MongoServerError } from 'mongodb';
import { shortName } from './short-name.js';

const UNAVAILABLE = '14 UNAVAILABLE: No connection established. Last error: connect ECONNREFUSED 10.0.0.7:2113';

describe('the short name of a failure', () => {
  it.each([
    ['a status of gRPC', Object.assign(new Error(UNAVAILABLE), { code: 14 }), 'UNAVAILABLE'],
    [
      'an error code of the system',
      Object.assign(new Error('connect ECONNREFUSED ::1'), { code: 'ECONNREFUSED' }),
      'ECONNREFUSED',
    ],
    [
      'an error type of a broker',
      Object.assign(new Error('no leader'), { type: 'LEADER_NOT_AVAILABLE', code: 5 }),
      'LEADER_NOT_AVAILABLE',
    ],
    [
      'the name of a code of MongoDB',
      new MongoServerError({ message: 'no', code: 10107, codeName: 'NotWritablePrimary' }),
      'NotWritablePrimary',
    ],
    ['the name of its class', new MongoNetworkError('connection 7 to 10.0.0.7:27017 closed'), 'MongoNetworkError'],
    ['that of its cause', new Error('gave up', { cause: new TypeError('no answer') }), 'TypeError'],
    ['its type, where it is no error', 'gone', 'string'],
  ])('is %s', (_, failure, name) => expect(shortName(failure)).toBe(name));
});
