/** What an agent keeps beside a reply for its next turn. Clients never see it. */
export interface AgentNote {
  /** The name of the agent that wrote it and alone reads it. */
  readonly writer: string;
  /** JSON text. */
  readonly text: string;
}
