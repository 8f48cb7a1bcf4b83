// Judges files by pzpr's own checker: a line of JSON with files of one puzzle comes in, a line with their faults goes out,
// null for a right one. The module is named by its folder, as `require` finds it.

const pzpr = require(process.argv[2]);
let puzzle;

// What its editor lets nobody enter, so that its checker does not look at it.
const unlikeNumber = (piece) =>
  piece.qnum !== undefined && piece.qnum !== -1 &&
  (piece.qnum === -2
    ? piece.disInputHatena
    : piece.getminnum !== undefined && (piece.qnum < piece.getminnum() || piece.qnum > piece.getmaxnum()));
const unlikeAnswer = (cell) => cell.anum > 0 && cell.getmaxnum !== undefined && cell.anum > cell.getmaxnum();
const unlikeShade = (cell) => cell.numberRemainsUnshaded && cell.qnum !== -1 && cell.qans === 1;

function judged(file) {
  try {
    puzzle.open(file);
    const pieces = [puzzle.board.cell, puzzle.board.excell].flatMap((all) => Array.from(all));
    if (pieces.some(unlikeNumber)) return "no puzzle of pzpr's";
    if (pieces.some(unlikeAnswer)) return "a number is too large";
    if (pieces.some(unlikeShade)) return "a number is shaded";
    const found = puzzle.check(true);
    return found.complete ? null : String(found[0]);
  } catch (fault) {
    return "unread: " + fault;
  }
}

require("readline")
  .createInterface({ input: process.stdin })
  .on("line", (line) => {
    const files = JSON.parse(line);
    puzzle = new pzpr.Puzzle(); // one keeps what the letters before the size of an earlier puzzle said
    puzzle.setConfig("forceallcell", true); // squares without a number are faults where numbers are asked for
    const first = judged(files[0]);
    const all = first === "no puzzle of pzpr's" ? files.map(() => first) : files.map(judged);
    process.stdout.write(JSON.stringify(all) + "\n");
  });
