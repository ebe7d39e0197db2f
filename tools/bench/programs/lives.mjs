// Appointments that are booked, confirmed, moved and cancelled, one command after the other: as fast as the answers come
// over so many connections, or so many commands a second whatever becomes of them.
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Connection } from './connection.mjs';

const { url, key, connections, seconds, rate, noting } = JSON.parse(process.argv[2]);
const HOUR = 3_600_000;
const run = randomBytes(4).toString('hex');
const since = Math.ceil(Date.now() / HOUR) * HOUR;
const later = (hours) => new Date(since + hours * HOUR).toISOString();
const now = () => Number(process.hrtime.bigint()) / 1e6;
const latencies = [];
const sent = [];
let begun = 0;

/** One appointment after another, a command at a time. */
class Lives {
  step = 0;
  busy = false;

  static async begin() {
    const lives = new Lives();
    lives.connection = await Connection.open(url);
    return lives;
  }

  async next() {
    this.busy = true;
    const { kind, path, body } = this.command();
    const at = now();
    const { status, text } = await this.connection.ask('POST', path, { key, body });
    if (status >= 300) throw new Error(`${path}: ${status} ${text}`);
    latencies.push(now() - at);
    if (this.step === 0) this.id = /apt_\w{26}/.exec(text)[0];
    if (noting) sent.push([`${this.id} appointment.${kind}`, at]);
    this.step = (this.step + 1) % 4;
    this.busy = false;
  }

  command() {
    const path = `/v1/appointments/${this.id}`;
    switch (this.step) {
      case 0:
        return { kind: 'created', path: '/v1/appointments', body: this.booking() };
      case 1:
        return { kind: 'confirmed', path: `${path}/confirm`, body: {} };
      case 2:
        return { kind: 'rescheduled', path: `${path}/reschedule`, body: { starts_at: later(this.number + 1) } };
      default:
        return { kind: 'cancelled', path: `${path}/cancel`, body: { reason: 'Ill.', cancelled_by: 'customer' } };
    }
  }

  booking() {
    this.number = begun++ * 3;
    return {
      customer: { phone: `+49151${String(begun % 1_000).padStart(8, '0')}` },
      external_id: `${run}-${begun}`,
      service: `dental_cleaning_${run}`,
      starts_at: later(this.number),
      duration_minutes: 30,
      time_zone: 'Europe/Berlin',
    };
  }
}

const until = now() + seconds * 1_000;

async function asFastAsAnswered() {
  const all = await Promise.all(Array.from({ length: connections }, () => Lives.begin()));
  const live = async (lives) => {
    while (now() < until) await lives.next();
  };
  await Promise.all(all.map(live));
}

async function atThisRate() {
  const all = await Promise.all(Array.from({ length: connections }, () => Lives.begin()));
  const under = [];
  const from = now();
  for (let number = 0; now() < until; number += 1) {
    const free = all.find(({ busy }) => !busy);
    if (!free) throw new Error('more commands are under way than there are connections');
    under.push(free.next());
    await pause(Math.max(0, from + ((number + 1) * 1_000) / rate - now()));
  }
  await Promise.all(under);
}

const from = now();
await (rate ? atThisRate() : asFastAsAnswered());
const elapsed = (now() - from) / 1_000;
latencies.sort((a, b) => a - b);
const at = (share) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))];
const found = { commands: latencies.length, perSecond: latencies.length / elapsed, p50: at(0.5), p99: at(0.99), sent };
process.stdout.write(JSON.stringify(found), () => process.exit(0));
