import { join } from 'node:path';
import { AppProcess } from './app-process.mjs';
import { Release, SETTINGS } from './release.mjs';

/** A release in one process on one data directory. */
export class EmbeddedRelease extends Release {
  #service;

  constructor(bundle, directory) {
    super();
    this.#service = new AppProcess([join(bundle, 'main.js')], { ...SETTINGS, DATA_DIR: directory });
  }

  async start() {
    this.url = await this.#service.start();
  }

  /** Lets every webhook from now on wait for its first attempt. */
  async holdWebhooks() {
    await this.stop();
    this.url = await this.#service.start({ RETRY_SCHEDULE: '3h,5h' });
  }

  /** Ends the process gracefully. */
  stop() {
    return this.#service.stop();
  }

  /** Kills the process without a chance to clean up. */
  kill() {
    return this.#service.kill();
  }
}
