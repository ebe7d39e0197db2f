import { Config } from './config.js';

/** The configuration of this process. */
export function configOfProcess(): Config {
  return Config.from(process.env);
}
