/// What makes a page easier to use where scripts run; without them all of it can be read.
enum PageScript {
  /// Turns the headings of tables into buttons that sort, and opens what is folded before it is printed.
  static let text: StaticString = """

    "use strict";
    (() => {
      const status = document.getElementById("status");

      // A cell's value: a number where all are, a text else; what is missing comes last in both directions.
      const valueOf = (row, column) => {
        const value = row.cells[column]?.dataset.value;
        if (value === undefined || value === "") return null;
        const number = Number(value);
        return Number.isNaN(number) ? value : number;
      };

      const compare = (left, right, direction) => {
        if (left === null || right === null) return (left === null) - (right === null);
        if (typeof left === "number" && typeof right === "number") return direction * (left - right);
        if (typeof left !== typeof right) return typeof left === "number" ? -1 : 1;
        return direction * left.localeCompare(right, "en", { numeric: true });
      };

      const sort = (table, heading, column) => {
        const isNumber = heading.classList.contains("number");
        const before = heading.getAttribute("aria-sort");
        const order = before === null ? (isNumber ? "descending" : "ascending")
          : before === "ascending" ? "descending" : "ascending";
        const direction = order === "ascending" ? 1 : -1;
        const body = table.tBodies[0];
        const rows = Array.from(body.rows, (row) => ({ row, value: valueOf(row, column) }));
        rows.sort((left, right) => compare(left.value, right.value, direction));
        body.append(...rows.map((entry) => entry.row));
        for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
        heading.setAttribute("aria-sort", order);
        status.textContent = `Sorted by ${heading.dataset.name}, ${order}.`;
      };

      for (const table of document.querySelectorAll("table.sortable")) {
        Array.from(table.tHead.rows[0].cells).forEach((heading, column) => {
          const button = document.createElement("button");
          button.type = "button";
          heading.dataset.name = heading.textContent.trim();
          button.append(...heading.childNodes);
          heading.append(button);
          button.addEventListener("click", () => sort(table, heading, column));
        });
      }

      let opened = [];
      addEventListener("beforeprint", () => {
        opened = Array.from(document.querySelectorAll("details:not([open])"));
        for (const part of opened) part.open = true;
      });
      addEventListener("afterprint", () => { for (const part of opened) part.open = false; });
    })();

    """
}
