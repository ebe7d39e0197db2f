export interface HostOptions {
  /** Where the engine keeps its data. */
  readonly directory: string;
  readonly port: number;
  /** The program that runs the script, with its arguments; this Node when absent. */
  readonly interpreter?: readonly string[];
  readonly [option: string]: unknown;
}

/** One engine in processes of its own. The data and the port outlive the process. */
export class EngineProcess {
  /**
   * Runs a host, a script of this folder, and resolves once its engine answers. Rejects with the end of what it printed
   * when it ends before.
   */
  static start(script: URL, options: HostOptions): Promise<EngineProcess>;
  /** The address that clients use. */
  readonly url: string;
  readonly port: number;
  readonly directory: string;
  /** False once it has ended, by itself too. */
  readonly isRunning: boolean;
  /** Sends a command to the host and resolves to its answer. Rejects when the host refuses it or has ended. */
  ask(command: string, argument?: unknown): Promise<unknown>;
  /** Ends the engine by SIGKILL. */
  kill(): Promise<void>;
  /** Ends the engine as an operator does, by SIGTERM. */
  stop(): Promise<void>;
  /** Runs it again on the same data and port, with these options changed. */
  restart(changed?: Readonly<Record<string, unknown>>): Promise<void>;
}
