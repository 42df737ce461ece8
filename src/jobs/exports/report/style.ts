export const STYLE = `
:root {
  color-scheme: light dark;
  --back: #f6f5f1; --card: #ffffff; --ink: #22231f; --soft: #67685f; --line: #dedcd2; --mark: #2f6f8f; --warn: #b3421f;
}
@media (prefers-color-scheme: dark) {
  :root { --back: #15171a; --card: #1e2125; --ink: #e9e7e0; --soft: #a2a39b; --line: #363a40; --mark: #6fb6d8; --warn: #f08a5d; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main, header { max-width: 72rem; margin: 0 auto; padding: 0 1rem; }
header { padding-top: 2rem; }
h1 { margin: 0; font-size: 2rem; line-height: 1.2; overflow-wrap: anywhere; }
h2 { margin: 2.5rem 0 .75rem; font-size: 1.35rem; }
h3 { margin: 0; font-size: 1rem; overflow-wrap: anywhere; }
p { margin: .25rem 0; }
.soft { color: var(--soft); font-size: .875rem; }
code, pre { font: .875rem/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
pre { max-height: 30rem; margin: 0; padding: 1rem; overflow: auto; white-space: pre-wrap; }
a { color: var(--mark); }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin-top: 1rem; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); gap: .75rem; margin: 1.25rem 0 0; }
.tiles div, .card, details { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; }
.tiles div { padding: .6rem .9rem; }
.tiles dt { color: var(--soft); font-size: .8125rem; }
.tiles dd { margin: 0; font-size: 1.25rem; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 30rem), 1fr)); gap: 1rem; align-items: start; }
.card { padding: .9rem 1rem; min-width: 0; }
.scroll { overflow-x: auto; margin-top: .5rem; }
.tall { max-height: 26rem; overflow-y: auto; }
table { width: 100%; border-collapse: collapse; font-size: .875rem; }
caption { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
th, td { padding: .3rem .6rem .3rem 0; text-align: left; border-bottom: 1px solid var(--line); vertical-align: baseline; }
thead th { position: sticky; top: 0; background: var(--card); color: var(--soft); font-weight: 600; white-space: nowrap; }
tbody th { font-weight: 400; overflow-wrap: anywhere; min-width: 7rem; }
tr:last-child > * { border-bottom: 0; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.far { color: var(--warn); font-weight: 600; }
.swatch { display: inline-block; width: .9em; height: .9em; margin-right: .5em; border: 1px solid var(--line); border-radius: .2em; vertical-align: -.1em; }
.bar { display: block; height: .7rem; min-width: 1px; background: var(--mark); border-radius: .15rem; }
.wide { width: 40%; min-width: 6rem; }
.map { position: relative; width: 100%; max-height: 80vh; }
.map > :is(img, canvas) { display: block; width: 100%; max-height: inherit; object-fit: contain; border-radius: .5rem; border: 1px solid var(--line); background: #0d0e14; image-rendering: pixelated; cursor: grab; }
.map canvas { height: 100%; }
.zoom { position: absolute; top: .6rem; right: .9rem; display: flex; gap: .35rem; }
.zoom button { width: 2.4rem; height: 2.4rem; border: 1px solid var(--line); border-radius: .4rem; background: var(--card); color: var(--ink); font-size: 1.1rem; cursor: pointer; }
details { margin-top: .75rem; }
summary { padding: .6rem 1rem; cursor: pointer; overflow-wrap: anywhere; }
footer { max-width: 72rem; margin: 2rem auto; padding: 0 1rem; color: var(--soft); font-size: .875rem; }
@media print { .zoom, nav { display: none; } .tall { max-height: none; } }
`;
