import { StoreUnavailable } from '@ports/event-store.port';
import { MongoInvalidArgumentError, MongoNetworkError, MongoServerError } from 'mongodb';
import { asStoreFailure } from './store-failures.js';

const answered = (code: number) => new MongoServerError({ message: 'refused', code });

describe('a failure of the store', () => {
  it.each([
    ['a lost connection', new MongoNetworkError('connection closed')],
    ['a reset socket', Object.assign(new Error('write ECONNRESET'), { code: 'ECONNRESET', syscall: 'write' })],
    ['a server that is no primary', answered(10_107)],
    ['a server that took too long', answered(50)],
    ['a server that refuses the user', answered(13)],
  ])('is out of reach: %s', (_, error) => expect(asStoreFailure(error)).toBeInstanceOf(StoreUnavailable));

  it.each([
    ['an answer that the request makes no sense', answered(2)],
    ['a request that the driver refuses', new MongoInvalidArgumentError('no such option')],
    ['anything else', new TypeError('no field of this name')],
  ])('stays what it is: %s', (_, error) => expect(asStoreFailure(error)).toBe(error));
});
