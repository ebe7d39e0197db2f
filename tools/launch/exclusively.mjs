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

/** Process ids are reused, so the heartbeat counts too. */
function isAlive({ pid, silentFor }) {
  if (pid === process.pid || silentFor > silentMs) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Links a complete file: the lock never exists without its holder's id. */
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

/** Removes a dead holder's lock. Only one process can rename it; a living holder's lock renamed by mistake is restored. */
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

/** Runs `work` under a lock file. A holder that dies does not block the next. */
export async function exclusively(lock, onWait, work) {
  mkdirSync(dirname(lock), { recursive: true });
  await untilTaken(lock, onWait);
  const beat = setInterval(() => existsSync(lock) && utimesSync(lock, new Date(), new Date()), beatMs);
  return cleaningUp(work, () => {
    clearInterval(beat);
    rmSync(lock, { force: true });
  });
}
