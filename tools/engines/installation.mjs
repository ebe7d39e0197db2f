import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../launch/run.mjs';

const folder = () => process.env.ENGINES_CACHE ?? join(root, '.engines');

/** Why programs that take lists of paths, such as Java, cannot use the folder; empty if they can. */
export const pathGaps = () =>
  folder().includes(':')
    ? [`the path ${folder()} has a colon, which separates paths: set ENGINES_CACHE to a folder without one`]
    : [];

export const installationOf = (name) => join(folder(), name);

/** The installation of this name. `fill` fills a temporary folder that is renamed on success: two runs may install at once. */
export async function install(name, fill) {
  const installed = installationOf(name);
  if (existsSync(installed)) return installed;
  mkdirSync(folder(), { recursive: true });
  const temporary = mkdtempSync(`${installed}.`);
  try {
    await fill(temporary);
    renameSync(temporary, installed);
  } catch (error) {
    if (!existsSync(installed)) throw error;
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
  return installed;
}
