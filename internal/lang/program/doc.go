// Package program parses the programs in which people write layouts: Python (a cell of the CuTe DSL), C++ (a piece of
// CuTe), and girih's own lines of bindings and expressions. The three grammars share one tree.
//
// [Parse] decides which of the three languages a text is in by its statements ([Detect]), unless the caller says so. An
// expression that is not in the grammar of Python or C++ but written in girih's notation, as (6,2):(8,2) or A o B, is
// kept as text, in a [Girih] node.
//
// Read language.go first, then ast.go; the grammars are in python_*.go and cpp_*.go, and token.go has their tokens.
package program
