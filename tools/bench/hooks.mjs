import { join } from 'node:path';
import { caughtUp, textOf, until } from './client.mjs';
import { atRate, rush } from './load.mjs';
import { programs, Server } from './processes.mjs';
import { bookings } from './requests.mjs';
import { now, percentiles } from './rounds.mjs';

/** Of a backlog: before, the compiler is still at work; after, less may wait than is in flight. */
const FROM = 0.6;
const TO = 0.95;

/** Who gets the webhooks, in a process of its own. */
export class Receiver extends Server {
  static start() {
    return super.start([join(programs, 'receive.mjs')]);
  }

  /** How requests are answered, by path: a status, and after how many milliseconds. */
  answer(answers) {
    return textOf(`${this.url}/answers`, 'PUT', { body: answers });
  }

  /** What came since the last call: path, appointment and time of each. */
  async arrivals() {
    return JSON.parse(await textOf(`${this.url}/arrivals`, 'PUT'));
  }
}

/** Attempts whose outcome is stored, at least: those that were answered less those that are under way. */
export async function settledIn(services) {
  const texts = await Promise.all(services.map(({ url }) => textOf(`${url}/metrics`)));
  return texts.reduce((sum, text) => {
    const ended = [...text.matchAll(/^webhook_attempts_total\{.*\} (\d+)$/gm)].map(([, count]) => Number(count));
    return sum + ended.reduce((all, count) => all + count, 0) - Number(/^webhook_attempts_in_flight (\d+)$/m.exec(text)[1]);
  }, 0);
}

/**
 * Latencies from sending a booking to the first byte of its webhooks, at so many bookings a second.
 * @param endpoints how many get each
 * @param except the path of an endpoint that does not count
 */
export async function firstBytes({ url, key }, receiver, { rate, seconds, endpoints = 1, except }) {
  await receiver.arrivals();
  const booked = await atRate(url, bookings(key && [key]), { rate, seconds });
  const sentAt = new Map(booked.map((booking) => [/apt_\w{26}/.exec(booking.text)[0], booking.sentAt]));
  const latencies = [];
  await until(async () => {
    const others = (await receiver.arrivals()).filter(([path, id]) => path !== except && sentAt.has(id));
    latencies.push(...others.map(([, id, at]) => at - sentAt.get(id)));
    return latencies.length >= booked.length * endpoints;
  }, 50);
  return percentiles(latencies);
}

/** Books so many appointments of several projects, until the fan-out in `reactors` has made deliveries of them. */
export async function book(service, clients, count, reactors = service) {
  await rush(service.url, bookings(clients.map(({ key }) => key)), count);
  await caughtUp(reactors);
}

/** The rate at which services deliver so many deliveries that wait, and the processor time of each. */
export async function drained(services, count) {
  const samples = [];
  await until(async () => {
    const [settled, cpu] = [await settledIn(services), services.reduce((sum, service) => sum + service.cpuMs(), 0)];
    if (settled >= count * FROM) samples.push({ settled, cpu, at: now() });
    return settled >= count * TO;
  }, 50);
  const [first, last] = [samples[0], samples.at(-1)];
  const made = last.settled - first.settled;
  return { perSecond: (made * 1_000) / (last.at - first.at), cpuMicros: ((last.cpu - first.cpu) * 1_000) / made };
}
