// node tools/bundle.mjs <folder of the compiled apps>: bundles all modules of a start into a few files in `bundle/`,
// since opening thousands of modules would take longer than the rest of the start.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { buildConsole } from './console/build-console.mjs';

const compiled = resolve(process.argv[2]);
const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'));

/** Packages that load files from their own folder, so they stay unbundled. */
const FINDS_ITS_FILES = [/^@photostructure\/sqlite$/, /^swagger-ui-dist/];

/** Drivers of the cluster engine: large, and loaded by that engine alone. */
const CLUSTER_DRIVERS = [/^@eventstore\/db-client$/, /^kafkajs$/, /^(snappy|lz4-napi|fzstd)$/, /^mongodb$/];

/** Optional packages that Nest loads only if installed. */
const NEVER_INSTALLED = [
  /^@nestjs\/(platform-express|websockets)/,
  /^@fastify\/(static|view|multipart)$/,
  /^@grpc\//,
  /^@nats-io\//,
  /^(amqplib|amqp-connection-manager|ioredis|mqtt)$/,
];

const STRAY_IMPORT = /^\.\.\/.*\/((?:apps|libs)\/.+\.js)$/;

/** Nest's compiler plugin writes imports relative to the file system's root, with non-ASCII characters escaped. */
const strayImports = {
  name: 'stray-imports',
  resolveId(source, importer) {
    const [, inside] = STRAY_IMPORT.exec(source) ?? [];
    if (!inside || existsSync(resolve(dirname(importer), source))) return null;
    const meant = join(compiled, inside);
    return existsSync(meant) ? meant : null;
  },
};

/** Chains source maps, so that stack traces lead to TypeScript. */
const compilerMaps = {
  name: 'compiler-maps',
  load(id) {
    if (!id.startsWith(compiled) || !existsSync(`${id}.map`)) return null;
    return { code: readFileSync(id, 'utf8'), map: JSON.parse(readFileSync(`${id}.map`, 'utf8')) };
  },
};

/** A missing package must fail here, not at the first request that needs it. */
function refuseWarnings(level, { code, message }) {
  if (level === 'warn') throw new Error(`${code}: ${message}`);
}

/** Embeds the console, so that the gateway looks for none of its files when it runs. */
const consoleFiles = {
  name: 'console-files',
  async load(id) {
    if (!id.endsWith('/apps/gateway/src/console/console-files.js')) return null;
    return `export const CONSOLE_FILES = ${JSON.stringify(await buildConsole(refuseWarnings))};`;
  },
};

const bundle = await rolldown({
  input: {
    main: join(compiled, 'apps/gateway/src/main.js'),
    projections: join(compiled, 'apps/projections/src/main.js'),
    admin: join(compiled, 'apps/admin/src/main.js'),
    delivery: join(compiled, 'apps/delivery/src/main.js'),
    workbench: join(compiled, 'apps/workbench/src/main.js'),
    'long-text.worker': join(compiled, 'libs/adapters/src/plain-text/long-text.worker.js'),
    'copy.worker': join(compiled, 'libs/engine-embedded/src/backup/copy.worker.js'),
    'store.worker': join(compiled, 'libs/engine-embedded/src/writer/store.worker.js'),
  },
  platform: 'node',
  external: [...FINDS_ITS_FILES, ...CLUSTER_DRIVERS, ...NEVER_INSTALLED],
  transform: { define: { SERVICE_VERSION: JSON.stringify(version) } },
  plugins: [strayImports, consoleFiles, compilerMaps],
  onLog: refuseWarnings,
});
await bundle.write({
  dir: join(compiled, 'bundle'),
  format: 'esm',
  sourcemap: true,
  entryFileNames: '[name].js',
  chunkFileNames: '[name]-[hash].js',
  // V8 stores source text at two bytes per character unless all of it is Latin-1.
  comments: false,
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: false, asciiOnly: true } },
});
await bundle.close();
