import { join } from 'node:path';
import { startEventStoreDb } from '../engines/eventstoredb/eventstoredb.mjs';
import { startKafka } from '../engines/kafka/kafka.mjs';
import { startMongoDb } from '../engines/mongodb/mongodb.mjs';
import { AppProcess } from './app-process.mjs';
import { Release, SETTINGS } from './release.mjs';

const PROGRAMS = { gateway: ['main.js', '--alone'], projections: ['projections.js'], delivery: ['delivery.js'] };

/** One process of each app of a release, on engines of its own below the folder. */
export class ClusterRelease extends Release {
  #apps = {};
  #engines = [];

  constructor(bundle, folder) {
    super();
    this.bundle = bundle;
    this.folder = folder;
  }

  async start() {
    this.#engines = await Promise.all([
      startEventStoreDb({ directory: join(this.folder, 'eventstoredb') }),
      startMongoDb({ directory: join(this.folder, 'mongodb') }),
      startKafka({ directory: join(this.folder, 'kafka') }),
    ]);
    const [eventStoreDb, mongoDb, kafka] = this.#engines;
    this.servers = { EVENTSTORE_URL: eventStoreDb.url, MONGODB_URL: mongoDb.url, KAFKA_BROKERS: kafka.url };
    const env = {
      ...SETTINGS,
      ...this.servers,
      ENGINE: 'cluster',
      OPERATIONS_PORT: '0',
      DATA_DIR: join(this.folder, 'data'),
      // A test key, valid only for what is made with it.
      SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
      // The embedded build of MongoDB loses acknowledged writes of a majority when it is killed.
      MONGODB_WRITE_CONCERN: '1',
    };
    for (const [name, [file, ...args]] of Object.entries(PROGRAMS)) {
      this.#apps[name] = new AppProcess([join(this.bundle, file), ...args], env);
    }
    const [url] = await Promise.all(Object.values(this.#apps).map((app) => app.start()));
    this.url = url;
  }

  /** Lets every webhook from now on wait in its topic for its first attempt. */
  holdWebhooks() {
    return this.#apps.delivery.stop();
  }

  /** Ends the apps gracefully; the engines go on. */
  async stop() {
    await Promise.all(Object.values(this.#apps).map((app) => app.stop()));
  }

  /** Kills apps and engines. */
  async kill() {
    await Promise.all([...Object.values(this.#apps), ...this.#engines].map((each) => each.kill()));
  }
}
