import { Config } from './config.js';

export function configOfProcess(): Config {
  return Config.from(process.env);
}
