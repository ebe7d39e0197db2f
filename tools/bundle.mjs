// node tools/bundle.mjs <folder of the compiled apps>: bundles all modules of a start into a few files, in its `bundle/`.
// Resolving and opening thousands of modules one by one would take longer than the rest of the start.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { rolldown } from 'rolldown';

const compiled = resolve(process.argv[2]);
const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'));

/** Packages that must stay unbundled, because they load files from their own folder. */
const FINDS_ITS_FILES = [/^@photostructure\/sqlite$/, /^swagger-ui-dist/];

/** The drivers of the cluster engine: big, with optional packages of their own, and loaded by that engine alone. */
const CLUSTER_DRIVERS = [/^@eventstore\/db-client$/, /^kafkajs$/, /^(snappy|lz4-napi|fzstd)$/, /^mongodb$/];

/** Optional packages that Nest loads only if they are installed. */
const NEVER_INSTALLED = [
  /^@nestjs\/(platform-express|websockets)/,
  /^@fastify\/(static|view|multipart)$/,
  /^@grpc\//,
  /^@nats-io\//,
  /^(amqplib|amqp-connection-manager|ioredis|mqtt)$/,
];

const STRAY_IMPORT = /^\.\.\/.*\/((?:apps|libs)\/.+\.js)$/;

/** Nest's compiler plugin writes imports relative to the root of the file system and escapes non-ASCII characters in them. */
const strayImports = {
  name: 'stray-imports',
  resolveId(source, importer) {
    const [, inside] = STRAY_IMPORT.exec(source) ?? [];
    if (!inside || existsSync(resolve(dirname(importer), source))) return null;
    const meant = join(compiled, inside);
    return existsSync(meant) ? meant : null;
  },
};

/** Chains the compiler's source maps, so that stack traces lead to the TypeScript sources. */
const compilerMaps = {
  name: 'compiler-maps',
  load(id) {
    if (!id.startsWith(compiled) || !existsSync(`${id}.map`)) return null;
    return { code: readFileSync(id, 'utf8'), map: JSON.parse(readFileSync(`${id}.map`, 'utf8')) };
  },
};

/** Turns warnings into errors: a missing package must fail here, not at the first request that needs it. */
function refuseWarnings(level, { code, message }) {
  if (level === 'warn') throw new Error(`${code}: ${message}`);
}

const bundle = await rolldown({
  input: {
    main: join(compiled, 'apps/gateway/src/main.js'),
    projections: join(compiled, 'apps/projections/src/main.js'),
    admin: join(compiled, 'apps/admin/src/main.js'),
    delivery: join(compiled, 'apps/delivery/src/main.js'),
    'long-text.worker': join(compiled, 'libs/adapters/src/plain-text/long-text.worker.js'),
    'copy.worker': join(compiled, 'libs/engine-embedded/src/backup/copy.worker.js'),
    'store.worker': join(compiled, 'libs/engine-embedded/src/writer/store.worker.js'),
  },
  platform: 'node',
  external: [...FINDS_ITS_FILES, ...CLUSTER_DRIVERS, ...NEVER_INSTALLED],
  transform: { define: { SERVICE_VERSION: JSON.stringify(version) } },
  plugins: [strayImports, compilerMaps],
  onLog: refuseWarnings,
});
await bundle.write({
  dir: join(compiled, 'bundle'),
  format: 'esm',
  sourcemap: true,
  entryFileNames: '[name].js',
  chunkFileNames: '[name]-[hash].js',
  // V8 keeps source text in memory, at two bytes per character if any character is not Latin-1.
  comments: false,
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: false, asciiOnly: true } },
});
await bundle.close();
