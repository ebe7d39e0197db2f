interface TileProps {
  readonly label: string;
  readonly value: string;
}

/** One number at a glance. */
export function Tile({ label, value }: TileProps) {
  return (
    <div class="card tile">
      <span class="small muted">{label}</span>
      <strong>{value}</strong>
    </div>
  );
}
