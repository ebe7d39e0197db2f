import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

function holderOf(lock) {
  try {
    return Number(readFileSync(lock, 'utf8'));
  } catch {
    return undefined;
  }
}

function isAlive(pid) {
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

/** Runs `work` while no other process runs work under the same lock file; a killed holder does not block the next. */
export async function exclusively(lock, onWait, work) {
  mkdirSync(dirname(lock), { recursive: true });
  for (let waited = false; !take(lock);) {
    const holder = holderOf(lock);
    if (holder !== undefined && !isAlive(holder)) clearAfterDeath(lock);
    else if (!waited) waited = (onWait(holder), true);
    await pause(200);
  }
  try {
    return await work();
  } finally {
    if (holderOf(lock) === process.pid) rmSync(lock, { force: true });
  }
}
