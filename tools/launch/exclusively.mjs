import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { cleaningUp } from './cleaning-up.mjs';

const beatMs = 1_000;
const silentMs = 15_000;

function holderOf(lock) {
  try {
    return { pid: Number(readFileSync(lock, 'utf8')), silentFor: Date.now() - statSync(lock).mtimeMs };
  } catch {
    return undefined;
  }
}

/** A process id may belong to another program by now, hence the heartbeat beside it. */
function isAlive({ pid, silentFor }) {
  if (pid === process.pid || silentFor > silentMs) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Linking a finished file makes the lock appear with its holder's id already in it. */
function take(lock) {
  const claim = `${lock}.${process.pid}`;
  writeFileSync(claim, String(process.pid));
  try {
    linkSync(claim, lock);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(claim, { force: true });
  }
}

/** Two may see the same dead holder: only one rename succeeds, and a living holder's lock taken by mistake is put back. */
function clearAfterDeath(lock) {
  const grave = `${lock}.dead.${process.pid}`;
  try {
    renameSync(lock, grave);
  } catch {
    return;
  }
  if (isAlive(holderOf(grave))) linkSync(grave, lock);
  rmSync(grave, { force: true });
}

async function untilTaken(lock, onWait) {
  for (let waited = false; !take(lock);) {
    const holder = holderOf(lock);
    if (holder && !isAlive(holder)) clearAfterDeath(lock);
    else if (holder && !waited) waited = (onWait(holder.pid), true);
    await pause(200);
  }
}

/** Runs `work` while no other process runs work under the same lock file; a holder that ends, even killed, does not block the next. */
export async function exclusively(lock, onWait, work) {
  mkdirSync(dirname(lock), { recursive: true });
  await untilTaken(lock, onWait);
  const beat = setInterval(() => existsSync(lock) && utimesSync(lock, new Date(), new Date()), beatMs);
  return cleaningUp(work, () => {
    clearInterval(beat);
    rmSync(lock, { force: true });
  });
}
