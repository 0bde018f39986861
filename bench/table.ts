/**
 * Tables for a terminal.
 *
 * @module
 */

/** Lays rows out in columns: the first column to the left, the others, mostly figures, to the right. */
export function table(rows: readonly (readonly string[])[]): string {
  const columns = Math.max(...rows.map((row) => row.length));
  const widths = Array.from(
    { length: columns },
    (_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows.map((row) =>
    row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)
    ).join("  ").trimEnd()
  ).join("\n");
}
