import { App, type Part } from './app.js';
import { ENGINE, Installation } from './installation.js';

const PARTS: readonly Part[] = ENGINE === 'cluster' ? ['gateway', 'projections', 'delivery'] : ['service'];

/** The processes of one installation: the service on the embedded engine, one of each app on the cluster. */
export class Processes {
  private constructor(
    private readonly installation: Installation,
    readonly all: readonly [App, ...App[]],
  ) {}

  static async start(variables: Readonly<Record<string, string>>): Promise<Processes> {
    const installation = new Installation();
    const start = (part: Part) => App.start(variables, installation, part);
    const [first, ...others] = PARTS;
    const gateway = await start(first ?? 'service');
    return new Processes(installation, [gateway, ...(await Promise.all(others.map(start)))]);
  }

  /** The one that clients talk to. */
  get gateway(): App {
    return this.all[0];
  }

  /** The one that builds read models. */
  get projections(): App {
    return this.all[PARTS.indexOf('projections')] ?? this.gateway;
  }

  /** Kills them and deletes their data. */
  async dispose(): Promise<void> {
    await Promise.all(this.all.map((app) => app.kill()));
    await this.installation.dispose();
  }
}
