/** What an agent stores with a reply for its next turn. Hidden from clients. */
export interface AgentNote {
  readonly writer: string;
  readonly text: string;
}
