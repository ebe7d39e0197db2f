import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../launch/run.mjs';

/** Where engines are installed: `.engines`, or the folder that ENGINES_CACHE names. */
const folder = () => process.env.ENGINES_CACHE ?? join(root, '.engines');

/** Why a program that takes a list of paths, as Java its class path, cannot use what is installed; empty where it can. */
export const pathGaps = () =>
  folder().includes(':')
    ? [`the path ${folder()} has a colon, which separates paths: set ENGINES_CACHE to a folder without one`]
    : [];

/** Where the installation of this name is, or will be. */
export const installationOf = (name) => join(folder(), name);

/**
 * The folder of the installation of this name. Where it is missing, `fill` fills a temporary folder, which becomes it only when
 * that succeeds: two runs may install at once.
 */
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
