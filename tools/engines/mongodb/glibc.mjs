import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { install, installationOf, pathGaps } from '../installation.mjs';

const NEEDED = [2, 38];
const INSTALLATION = 'glibc-trixie';
const KEYS = '/usr/share/keyrings/debian-archive-keyring.gpg';
const PACKAGES = ['libc6', 'libstdc++6', 'libgcc-s1'];
/** Loaded by Node and the engine. */
const LIBRARIES = ['libc', 'libm', 'libdl', 'libpthread', 'librt', 'libgcc_s', 'libstdc\\+\\+'];
const KEPT = new RegExp(`^(ld-linux.*|${LIBRARIES.join('|')})\\.so\\.\\d+$`);

const release = () => (existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : '');
const isBookworm = () => /^ID=debian$/m.test(release()) && /^VERSION_CODENAME=bookworm$/m.test(release());
const runs = (program) => {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

const isRecent = (version) => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1]);
};

/** Undefined for another C library. */
const ownVersion = () => process.report.getReport().header.glibcVersionRuntime;

/** Why no present or fetchable C library fits; null if one does. */
export function glibcGap() {
  const version = ownVersion();
  const needed = `glibc ${NEEDED.join('.')} or newer is needed`;
  if (version === undefined) return `${needed}, and this system has another C library`;
  if (isRecent(version)) return null;
  // The loader takes a list of paths.
  const [pathGap] = pathGaps();
  if (pathGap !== undefined) return pathGap;
  if (existsSync(installationOf(INSTALLATION))) return null;
  if (!isBookworm()) return `${needed}, found ${version}. Debian 12 is the one older system for which it is fetched`;
  const missing = ['apt-get', 'dpkg'].filter((program) => !runs(program));
  if (!existsSync(KEYS)) missing.push(KEYS);
  return missing.length === 0 ? null : `${needed}, found ${version}, and fetching it takes ${missing.join(' and ')}`;
}

export async function nodeWithGlibc() {
  const version = ownVersion();
  if (version === undefined || isRecent(version)) return [process.execPath];
  const folder = await install(INSTALLATION, fetchLibraries);
  const loader = readdirSync(folder).find((name) => name.startsWith('ld-linux'));
  return [join(folder, loader), '--library-path', folder, process.execPath];
}

/** Debian 13's libraries, from this Debian 12's mirror, unpacked but never installed. */
function fetchLibraries(folder) {
  const work = join(folder, 'work');
  for (const path of ['etc', 'lists/partial', 'cache/archives/partial', 'debs']) mkdirSync(join(work, path), { recursive: true });
  const wanted = ['Created-By: Packages', 'Codename: bookworm', 'Origin: Debian'];
  const [mirror] = run('apt-get', ['indextargets', '--format', '$(REPO_URI)', ...wanted]).split('\n');
  const source = ['Types: deb', `URIs: ${mirror}`, 'Suites: trixie', 'Components: main', `Signed-By: ${KEYS}`, ''].join('\n');
  writeFileSync(join(work, 'etc/trixie.sources'), source);
  const options = [
    'Dir::Etc::sourcelist=/dev/null',
    `Dir::Etc::sourceparts=${work}/etc`,
    `Dir::State::lists=${work}/lists`,
    `Dir::Cache=${work}/cache`,
    'APT::Sandbox::User=',
    'Acquire::Languages=none',
    'Debug::NoLocking=1',
    'Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false',
  ].flatMap((option) => ['-o', option]);
  run('apt-get', ['-qq', ...options, 'update']);
  const packages = join(work, 'debs');
  run('apt-get', ['-qq', ...options, 'download', ...PACKAGES], packages);
  for (const name of readdirSync(packages)) run('dpkg', ['-x', join(packages, name), join(work, 'root')]);
  keep(join(work, 'root/usr/lib'), folder);
  rmSync(work, { recursive: true });
}

function keep(libraries, folder) {
  const [triplet] = readdirSync(libraries).filter((name) => name.endsWith('-linux-gnu'));
  for (const name of readdirSync(join(libraries, triplet)))
    if (KEPT.test(name)) copyFileSync(join(libraries, triplet, name), join(folder, name));
}

function run(program, args, cwd) {
  return execFileSync(program, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}
