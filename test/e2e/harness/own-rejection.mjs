// Preloaded into a service: leaves a rejected promise unhandled, as a fault of the service would, once it listens.
import { Server } from 'node:net';

const listen = Server.prototype.listen;
Server.prototype.listen = function (...args) {
  this.once('listening', () => void setTimeout(() => void Promise.reject(new TypeError('of a secret customer')), 500));
  return listen.apply(this, args);
};
