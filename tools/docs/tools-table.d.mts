interface Tool {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

export function toolsTable(tools: readonly Tool[]): string;
export function withToolsTable(page: string, table: string): string;
