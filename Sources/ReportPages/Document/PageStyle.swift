/// How pages look: a file for each part, in the order in which they apply.
enum PageStyle {
  /// The whole style. Literals only: it is allowed on the page by its hash.
  static let parts: [StaticString] = [colors, layout, tables, charts, print]

  /// Colours, of light and dark. Text stands out from what is behind it by 4.5 : 1 or more in both.
  private static let colors: StaticString = """

    :root {
      color-scheme: light dark;
      --page: #f4f5f7; --surface: #ffffff; --ink: #1b2430; --muted: #545f6e; --line: #dce0e6; --track: #e9ecf1;
      --accent: #2b5fc7; --accent-soft: #cfdef8; --accent-faint: #dfe9fb; --loss: #b0392f; --loss-soft: #f6dcd8;
      --caution: #fdf3d7; --caution-ink: #664a00; --caution-line: #e2c26b;
      --next: #2b5fc7; --next-mark: #7ea4ea; --back: #0f8a8a; --looped: #7a51c2; --finished: #2f8f4e;
      --tapped-out: #c98a12; --exited: #c4483c; --unknown: #8a94a3; --mark: #ffffff;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --page: #0f1318; --surface: #181e26; --ink: #e8ecf2; --muted: #a5b0be; --line: #303a47; --track: #262f3a;
        --accent: #7fa8ff; --accent-soft: #2c4372; --accent-faint: #202c42; --loss: #ff9a8f; --loss-soft: #4a2724;
        --caution: #35290c; --caution-ink: #f5d98e; --caution-line: #7a6120;
        --next: #6c9bff; --next-mark: #2f56a8; --back: #3dbdb8; --looped: #b08df0; --finished: #5cc27c;
        --tapped-out: #e6b04a; --exited: #f07f73; --unknown: #8c97a6; --mark: #181e26;
      }
    }

    """

  /// The page, its headings, boxes and figures.
  private static let layout: StaticString = """

    *, *::before, *::after { box-sizing: border-box; }
    html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; scroll-behavior: smooth; }
    @media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
    body {
      margin: 0 auto; padding: 1.5rem 1rem 3rem; max-width: 80rem; background: var(--page); color: var(--ink);
      font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", sans-serif;
      overflow-wrap: anywhere;
    }
    h1, h2, h3 { line-height: 1.25; margin: 0; text-wrap: balance; }
    h1 { font-size: clamp(1.5rem, 1.1rem + 2vw, 2.1rem); letter-spacing: -0.015em; }
    h2 { font-size: 1.2rem; margin-bottom: 0.5rem; }
    h3 { font-size: 1rem; margin: 1.5rem 0 0.35rem; }
    p { margin: 0 0 0.75rem; }
    a { color: var(--accent); }
    :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
    .kind { margin: 0 0 0.3rem; color: var(--muted); font-size: 0.85rem; font-weight: 600; letter-spacing: 0.04em; }
    .facts { display: grid; grid-template-columns: max-content 1fr; gap: 0.2rem 1rem; margin: 1rem 0 0; }
    .facts dt { color: var(--muted); }
    .facts dd { margin: 0; min-width: 0; }
    code { font: 0.92em ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
    .facts code { background: var(--track); border-radius: 4px; padding: 0.05em 0.35em; }
    .contents { margin-top: 1.25rem; }
    .contents ul { display: flex; flex-wrap: wrap; gap: 0.4rem 1.25rem; margin: 0; padding: 0; list-style: none; }
    section {
      margin-top: 1.5rem; padding: 1.25rem; background: var(--surface); border: 1px solid var(--line);
      border-radius: 12px;
    }
    .lead, .note { color: var(--muted); max-width: 46rem; }
    .note { font-size: 0.9rem; }
    .finding { max-width: 46rem; }
    .notice {
      margin: 0 0 1rem; padding: 0.75rem 1rem; background: var(--caution); color: var(--caution-ink);
      border: 1px solid var(--caution-line); border-left-width: 5px; border-radius: 8px;
    }
    .notice a { color: inherit; }
    .sentences { margin: 0; padding-left: 1.2rem; max-width: 46rem; }
    .sentences li + li { margin-top: 0.35rem; }
    .cards {
      display: grid; grid-template-columns: repeat(auto-fit, minmax(12.5rem, 1fr)); gap: 1rem; margin: 1rem 0 0;
    }
    .cards > div { padding: 1rem; border: 1px solid var(--line); border-radius: 10px; }
    .cards dt { color: var(--muted); font-weight: 600; font-size: 0.92rem; }
    .cards dd { margin: 0; }
    .cards .big { font-size: 1.9rem; font-weight: 650; line-height: 1.25; font-variant-numeric: tabular-nums; }
    .cards .small { color: var(--muted); font-size: 0.9rem; font-variant-numeric: tabular-nums; }
    .cards svg { margin: 0.4rem 0; }
    footer { margin-top: 1.5rem; color: var(--muted); font-size: 0.85rem; }
    footer p { margin: 0 0 0.25rem; }
    .unseen {
      position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%);
      white-space: nowrap;
    }
    details { margin-top: 0.75rem; }
    summary { cursor: pointer; color: var(--accent); font-weight: 600; padding: 0.35rem 0; }
    @media (max-width: 32rem) {
      body { padding: 1rem 0.75rem 2rem; }
      section { padding: 1.1rem 0.9rem; border-radius: 10px; }
      .facts { grid-template-columns: 1fr; gap: 0; }
      .facts dd { margin-bottom: 0.5rem; }
      .cards { grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: 0.6rem; }
      .cards > div { padding: 0.75rem; }
      .cards .big { font-size: 1.5rem; }
    }

    """

  /// Tables, each in a region that scrolls by itself where it is wider than the page.
  private static let tables: StaticString = """

    .scroll { overflow-x: auto; margin-top: 1.25rem; max-width: 100%; position: relative; }
    .tall { max-height: min(80vh, 40rem); overflow-y: auto; }
    .tall thead th { position: sticky; top: 0; z-index: 2; background: var(--surface); }
    .tall thead th:first-child { z-index: 3; }
    table { border-collapse: collapse; width: 100%; font-size: 0.9rem; font-variant-numeric: tabular-nums; }
    caption { text-align: left; font-weight: 600; padding-bottom: 0.5rem; }
    th, td {
      padding: 0.5rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top;
      overflow-wrap: normal;
    }
    thead th { vertical-align: bottom; color: var(--muted); font-weight: 600; border-bottom: 2px solid var(--line); }
    tbody th { font-weight: 600; }
    th.name, td.text { min-width: 6.5rem; max-width: 20rem; overflow-wrap: anywhere; }
    tbody th:first-child, tfoot th:first-child, thead th:first-child {
      position: sticky; left: 0; background: var(--surface);
    }
    tbody th:first-child, tfoot th:first-child { z-index: 1; }
    .number { text-align: right; white-space: nowrap; }
    thead .number { white-space: normal; }
    tbody tr:hover, tbody tr:hover th:first-child { background: var(--accent-faint); }
    .scroll + .note { margin-top: 0.75rem; }
    tfoot th, tfoot td { border-top: 2px solid var(--line); border-bottom: 0; font-weight: 600; }
    .interval { display: block; color: var(--muted); font-size: 0.92em; font-weight: 400; }
    td.day { white-space: nowrap; }
    td { position: relative; }
    .nothing { color: var(--muted); font-weight: 400; }
    .holds { font-weight: 700; }
    td svg { display: block; margin-left: auto; margin-top: 0.25rem; max-width: none; }
    thead button {
      all: unset; box-sizing: border-box; cursor: pointer; color: inherit; font: inherit; border-radius: 4px;
      padding: 0.1rem 0;
    }
    thead button:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
    thead button::after { content: "\\a0\\2195"; color: var(--muted); }
    thead [aria-sort] button { color: var(--ink); }
    thead [aria-sort="ascending"] button::after { content: "\\a0\\2191"; color: var(--ink); }
    thead [aria-sort="descending"] button::after { content: "\\a0\\2193"; color: var(--ink); }

    """

  /// Charts: drawn by percent of their width, so that their texts keep their size on every screen.
  private static let charts: StaticString = """

    figure { margin: 1rem 0 0; }
    figcaption { color: var(--muted); font-size: 0.9rem; margin-bottom: 0.75rem; }
    svg { display: block; max-width: 100%; overflow: hidden; }
    svg text { fill: var(--ink); font-size: 13px; font-variant-numeric: tabular-nums; }
    svg .faint { fill: var(--muted); }
    svg .strong { font-weight: 650; }
    svg .end { text-anchor: end; }
    svg .middle { text-anchor: middle; }
    svg .loss-text { fill: var(--loss); font-weight: 600; }
    svg .on-fill { font-weight: 650; stroke: var(--surface); stroke-width: 3.5px; paint-order: stroke; }
    .cut { font-size: 13px; line-height: 18px; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
    .cut b { font-weight: 650; }
    .fill-track { fill: var(--track); }
    .fill-value { fill: var(--accent); }
    .fill-soft { fill: var(--accent-soft); }
    .fill-faint { fill: var(--accent-faint); }
    .line-soft { stroke: var(--accent); stroke-width: 1; fill: none; }
    .whisker { stroke: var(--ink); stroke-width: 1.5; }
    .halo { stroke: var(--surface); stroke-width: 4; }
    .axis { stroke: var(--muted); stroke-width: 1.5; }
    .grid { stroke: var(--line); stroke-width: 1; }
    .dot { fill: var(--surface); stroke: var(--ink); stroke-width: 2; }
    .dot.holds { fill: var(--accent); stroke: var(--accent); }
    .dot.side-a { fill: var(--surface); stroke: var(--looped); }
    .dot.side-b { fill: var(--accent); stroke: var(--accent); }
    .whisker.side-a { stroke: var(--looped); }
    .whisker.side-b { stroke: var(--accent); }
    .spark { fill: var(--accent); }
    .definitions { position: absolute; width: 0; height: 0; }
    .legend { display: flex; flex-wrap: wrap; gap: 0.35rem 1.1rem; margin: 0 0 1rem; padding: 0; list-style: none;
      font-size: 0.9rem; }
    .legend li { display: flex; align-items: center; gap: 0.45rem; }
    .legend svg { flex: none; border-radius: 3px; }
    .tone-next-auto, .tone-next { fill: var(--next); }
    .tone-next-tap { fill: var(--next-mark); }
    .tone-back { fill: var(--back); }
    .tone-looped { fill: var(--looped); }
    .tone-finished { fill: var(--finished); }
    .tone-tapped-out { fill: var(--tapped-out); }
    .tone-exited { fill: var(--exited); }
    .tone-unknown { fill: var(--track); }
    .mark { fill: var(--mark); fill-opacity: 0.55; }
    .mark-next { fill: var(--next); }
    .mark-unknown { fill: var(--unknown); }
    .gap { stroke: var(--surface); stroke-width: 1.5; }

    """

  /// On paper: light colours, nothing cut, what is coloured stays so.
  private static let print: StaticString = """

    @media print {
      :root {
        color-scheme: light;
        --page: #ffffff; --surface: #ffffff; --ink: #1b2430; --muted: #545f6e; --line: #cfd4db; --track: #e9ecf1;
        --accent: #2b5fc7; --accent-soft: #cfdef8; --accent-faint: #dfe9fb; --loss: #b0392f; --loss-soft: #f6dcd8;
        --caution: #fdf3d7; --caution-ink: #664a00; --caution-line: #e2c26b;
        --next: #2b5fc7; --next-mark: #7ea4ea; --back: #0f8a8a; --looped: #7a51c2; --finished: #2f8f4e;
        --tapped-out: #c98a12; --exited: #c4483c; --unknown: #8a94a3; --mark: #ffffff;
      }
      @page { size: A4; margin: 14mm 12mm; }
      * { -webkit-print-color-adjust: exact; print-color-adjust: exact; }
      html { font-size: 9.5pt; }
      body { max-width: none; padding: 0; }
      .cards { grid-template-columns: repeat(4, 1fr); gap: 0.6rem; }
      .cards > div { padding: 0.6rem; }
      .cards .big { font-size: 1.5rem; }
      section { border: 0; padding: 0; margin-top: 1.2rem; }
      h2, figcaption, caption, .legend { break-after: avoid; }
      svg, tr, .cards > div, .notice { break-inside: avoid; }
      thead { display: table-header-group; break-after: avoid; }
      tbody tr:first-child { break-before: avoid; }
      tfoot { display: table-row-group; }
      .scroll { overflow: visible; }
      table { font-size: 0.8rem; }
      .tall { max-height: none; }
      tbody th:first-child, tfoot th:first-child, thead th { position: static; }
      th, td { padding: 0.25rem 0.3rem; }
      th.name, td.text { min-width: 0; }
      .number { white-space: normal; overflow-wrap: normal; }
      .contents, summary, thead button::after { display: none; }
      details::details-content { content-visibility: visible; display: block; height: auto; }
    }

    """
}
