/** Server behaviours of the double. Tests switch one off to prove that a test depends on it. */
export const BEHAVIOURS = [
  'a deleted stream refuses before anything else',
  'a missing stream has no revision',
  'a batch that is stored at its revision gets its first answer',
  'a batch that is stored anywhere gets its first answer where any revision will do',
  'a batch that is stored in part is refused',
  'a repeated batch is answered with its own position',
  'a twin of a batch that is not indexed yet gets no answer',
  'the expected revision is checked',
  'positions have gaps of many sizes',
  'commit and prepare position are one',
  'events of a stream have positions',
  'the log forwards begins with its position',
  'the log backwards begins before its position',
  'system events are in the log',
  'a deleted stream leaves an event with the highest revision',
  'a stream keeps as many events as its metadata says',
  'a missing stream is told apart from an empty one',
  'a subscription is confirmed',
  'a subscription says when it has caught up',
  'a subscription begins after its position',
  'a filtered subscription tells checkpoints',
  'a slow subscriber is not buffered for',
  'a large append is refused',
  'an append whose end has not come writes nothing',
  'an append is durable before its answer',
  'a full disk ends the server',
  'a torn line is cut',
];

export class Behaviours {
  #off = new Set();

  constructor(off = []) {
    for (const name of off) this.switch({ name, on: false });
  }

  has(name) {
    if (!BEHAVIOURS.includes(name)) throw new Error(`no behaviour is called ${name}`);
    return !this.#off.has(name);
  }

  switch({ name, on }) {
    this.has(name);
    if (on) this.#off.delete(name);
    else this.#off.add(name);
  }
}
