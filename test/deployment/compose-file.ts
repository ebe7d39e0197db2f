import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

export const root = join(__dirname, '../..');

/** What the tests read of a service. */
export interface Service {
  readonly image?: string;
  readonly build?: string;
  readonly container_name?: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string | number | boolean | null>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck: { readonly test: readonly string[] };
  readonly init?: boolean;
  readonly read_only?: boolean;
  readonly privileged?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly stop_grace_period: string;
  readonly restart: string;
}

export interface ComposeFile {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

/** docker-compose.yml of the repository. */
export const composeFile = parse(readFileSync(join(root, 'docker-compose.yml'), 'utf8'), { merge: true }) as ComposeFile;

/** The service of this name. */
export function service(name: string): Service {
  const found = composeFile.services[name];
  if (found === undefined) throw new Error(`docker-compose.yml has no service ${name}`);
  return found;
}
