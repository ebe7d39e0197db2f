export interface HostOptions {
  readonly directory: string;
  readonly port: number;
  /** The program that runs the script; this Node when absent. */
  readonly interpreter?: readonly string[];
  readonly [option: string]: unknown;
}

/** One engine in its own processes. Data and port outlive them. */
export class EngineProcess {
  /** Runs a host, a script of this folder; resolves once its engine answers. Rejects with its last output if it ends before. */
  static start(script: URL, options: HostOptions): Promise<EngineProcess>;
  readonly url: string;
  readonly port: number;
  readonly directory: string;
  /** False once it has ended, even by itself. */
  readonly isRunning: boolean;
  /** Rejects if the host refuses the command or has ended. */
  ask(command: string, argument?: unknown): Promise<unknown>;
  kill(): Promise<void>;
  stop(): Promise<void>;
  /** Restarts on the same data and port, with changed options. */
  restart(changed?: Readonly<Record<string, unknown>>): Promise<void>;
}
