// Preloaded into a service: makes it a program that cannot apply CANNOT_APPLY, a type of events of calls, to their rows.
const { startsWith } = String.prototype;
const { CANNOT_APPLY } = process.env;

String.prototype.startsWith = function (...args) {
  if (args[0] === 'Session' && String(this) === CANNOT_APPLY) throw new TypeError('of a secret customer');
  return startsWith.apply(this, args);
};
