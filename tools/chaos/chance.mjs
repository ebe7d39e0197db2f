/** A seeded random generator; each worker forks its own sequence. */
export class Chance {
  constructor(seed) {
    this.state = seed >>> 0;
  }

  /** Mulberry32: 0 <= x < 1. */
  next() {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = this.state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  between(least, most) {
    return least + this.next() * (most - least);
  }

  whole(least, most) {
    return Math.floor(this.between(least, most + 1));
  }

  happens(probability) {
    return this.next() < probability;
  }

  pick(list) {
    return list[this.whole(0, list.length - 1)];
  }

  fork() {
    return new Chance(Math.floor(this.next() * 2 ** 32));
  }
}
