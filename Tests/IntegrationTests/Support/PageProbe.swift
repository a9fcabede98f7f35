/// What is asked of a page in the browser: expressions, each a list of what is wrong.
enum PageProbe {
  /// Elements that reach beyond the screen, but for those in a region that scrolls by itself.
  static let overflow = """
    (() => {
      const faults = [];
      if (document.documentElement.scrollWidth > innerWidth) faults.push("the page is " +
        document.documentElement.scrollWidth + " wide");
      for (const element of document.querySelectorAll("body *")) {
        if (element.closest(".scroll") && !element.matches(".scroll")) continue;
        if (element.closest("svg") && !element.matches("svg")) continue;
        const box = element.getBoundingClientRect();
        if (box.width > 0 && box.right > innerWidth + 0.5) faults.push(element.tagName + "." + element.className);
      }
      return faults;
    })()
    """

  /// Texts whose colour is too near to what is behind them (WCAG 2.2, 1.4.3).
  static let contrast = """
    (() => {
      const parse = (text) => text.match(/[\\d.]+/g).map(Number);
      const light = ([red, green, blue]) => {
        const [r, g, b] = [red, green, blue].map((value) => {
          const share = value / 255;
          return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const behind = (element) => {
        for (let at = element; at; at = at.parentElement) {
          const color = parse(getComputedStyle(at).backgroundColor);
          if (color.length === 3 || color[3] > 0) return color;
        }
        return [255, 255, 255];
      };
      const faults = new Set();
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) {
        const element = walker.currentNode.parentElement;
        if (!walker.currentNode.data.trim() || element.closest("script, title, desc")) continue;
        const style = getComputedStyle(element);
        const color = parse(element.closest("text") ? style.fill : style.color);
        const [one, other] = [light(color), light(behind(element))].sort((a, b) => b - a);
        const ratio = (one + 0.05) / (other + 0.05);
        if (ratio < 4.5) faults.add(`${element.tagName}.${element.getAttribute("class")}: ${ratio.toFixed(2)}`);
      }
      return [...faults];
    })()
    """

  /// What would leave a keyboard or a screen reader behind.
  static let structure = """
    (() => {
      const faults = [];
      const need = (isSo, fault) => { if (!isSo) faults.push(fault); };
      need(document.documentElement.lang === "en", "no language");
      need(document.title.length > 0, "no title");
      need(document.querySelectorAll("h1").length === 1, "not one h1");
      for (const part of ["header", "main", "footer"]) need(document.querySelector(part), "no " + part);
      let level = 0;
      for (const heading of document.querySelectorAll("h1, h2, h3")) {
        need(Number(heading.tagName[1]) <= level + 1, "a heading is skipped before " + heading.textContent);
        level = Number(heading.tagName[1]);
      }
      const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
      need(new Set(ids).size === ids.length, "an id twice");
      for (const element of document.querySelectorAll("[aria-labelledby]")) {
        for (const id of element.getAttribute("aria-labelledby").split(" ")) {
          need(document.getElementById(id)?.textContent.trim(), "no label " + id);
        }
      }
      for (const link of document.querySelectorAll("a")) {
        need(link.getAttribute("href").startsWith("#") && document.querySelector(link.hash), "a link to nowhere");
      }
      for (const drawing of document.querySelectorAll("svg")) {
        const isNamed = drawing.getAttribute("role") === "img" && drawing.querySelector("title")
          && drawing.querySelector("desc");
        need(isNamed || drawing.closest("[aria-hidden=true], [role=img]"), "a drawing without words");
      }
      for (const table of document.querySelectorAll("table")) {
        need(table.caption?.textContent.trim(), "a table without a caption");
        need(table.closest("[role=region][tabindex='0']"), "a table that no keyboard scrolls");
        for (const cell of table.querySelectorAll("th")) need(cell.scope, "a heading without a scope");
        const columns = table.tHead.rows[0].cells.length;
        for (const row of table.tBodies[0].rows) {
          const cells = [...row.cells].reduce((sum, cell) => sum + cell.colSpan, 0);
          need(cells === columns, "a row with other columns");
        }
      }
      return faults;
    })()
    """

  /// Numbers that are not those of the JSON in the page: the exact ones by their keys, and what is read by rounding.
  static let numbers = """
    (() => {
      const report = JSON.parse(document.getElementById("report").textContent);
      const faults = [];
      let count = 0;
      const shown = (cell) => {
        const text = (cell.firstElementChild?.matches(".holds") ? cell.firstElementChild : cell.firstChild).textContent;
        return text.trim().replace(/,/g, "").replace("−", "-").replace(" *", "");
      };
      const reads = (text, value, key) => {
        if (value === null || value === undefined) return text === "–";
        if (text.startsWith("<0.1") || text.startsWith(">99.9")) return value > 0 && value < 1;
        if (key.startsWith("p_value")) {
          if (text.startsWith("<")) return value < Number(text.slice(1));
          return Math.abs(Number(text) - value) < 0.00051;
        }
        if (key === "difference") return /[<]/.test(text) || Math.abs(Number(text) - value * 100) < 0.0501;
        if (text.endsWith("%")) return Math.abs(Number(text.slice(0, -1)) - value * 100) < 0.0501;
        const units = { ms: 1, s: 1000, min: 60000, h: 3600000 };
        const [number, unit] = text.split(" ");
        if (unit) return Math.abs(Number(number) - value / units[unit]) < (unit === "ms" ? 0.501 : 0.0501);
        return Number(text) === value;
      };
      const check = (cell, object, where) => {
        const key = cell.dataset.key;
        const value = key.split(".").reduce((at, part) => at?.[part], object);
        count += 1;
        const exact = cell.dataset.value === undefined ? null : Number(cell.dataset.value);
        if (exact !== (value ?? null)) faults.push(`${where} ${key}: ${exact} for ${value}`);
        if (!reads(shown(cell), value, key)) faults.push(`${where} ${key}: reads ${shown(cell)} for ${value}`);
      };
      const rowsOf = (table, objectOf) => {
        for (const row of document.querySelectorAll(`table#${table} tr`)) {
          const object = objectOf(row);
          if (!object) continue;
          for (const cell of row.querySelectorAll("[data-key]")) check(cell, object, `${table} ${row.rowIndex}`);
        }
      };
      for (const cell of document.querySelectorAll(".cards [data-key]")) check(cell, report.total ?? report, "cards");
      for (const table of ["pages", "departures", "dwell"]) rowsOf(table, (row) => report.pages?.[row.dataset.page]);
      rowsOf("groups", (row) => row.closest("tfoot") ? report : report.groups?.[row.dataset.group]);
      rowsOf("stories", (row) => row.closest("tfoot") ? report.total : report.stories?.[row.dataset.story]);
      const rated = (rates, row) => rates?.find((rate) => rate.name === row.dataset.rate);
      rowsOf("rates", (row) => rated(report.rates, row));
      rowsOf("page-rates", (row) => rated(report.pages?.[row.dataset.page]?.rates, row));
      return { faults, count };
    })()
    """
}
