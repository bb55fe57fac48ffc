// Package reader finds layouts in pasted text, whoever printed or wrote it.
//
// People rarely have a layout in one clean spelling. They have a line that CuTe printed, with a pointer before the
// layout; a C++ type from a compiler error; the source of a call; an MLIR type; a Triton encoding; a dump of a TiledMMA
// among lines of a log; a grid of offsets. [Read] takes any such text. It returns the values in it, in order, each as
// text in girih's own language with its place in the input, and notes what it left out or supplied: an engine, an
// address, a missing parenthesis.
//
// # One text on its way
//
// Take this line of a log:
//
//		gA: smem_ptr[16b](0x7f10) o make_layout(Shape<_8,_64>{}, GenRowMajor{}) at 10:30
//
//	  - token.go splits it into tokens: gA, :, smem_ptr, [, 16b, ...
//	  - search.go walks over them. gA begins no value. smem_ptr is an engine, so attempt parses a value there.
//	  - parser.go parses the chain a o b: term.go the engine and the name make_layout, list.go its arguments.
//	  - roles.go says that make_layout builds a layout, and build.go and layout.go build it: (8,64) with the strides (64,1).
//	  - compose in parser.go drops the engine, because nothing depends on it, and notes that.
//	  - accept.go decides that the value is one: it has a number. label.go finds its name, gA.
//	  - The search goes on. 10:30 parses as a layout, too, but stand.go rejects it: the word before it is "at".
//	  - reader.go makes the [Item] gA: (8,64):(64,1). check.go judges it: static, no fault. print.go wrote the text.
//
// # In which order to read
//
// reader.go (types and [Read]), token.go, node.go (the tree), parser.go, list.go, term.go, roles.go, build.go,
// search.go, accept.go. Then each notation is one file: layout.go, atom.go, mlir.go, triton.go, gluon.go, linear.go,
// traits.go, latex.go, json.go, record.go and lambda.go. Forms of whole lines are dump.go, grid.go, rows.go,
// sequence.go and diagnostic.go. rule.go lists the heuristics, which are tables of named conditions.
//
// One tokeniser serves all dialects. One recursive-descent parser knows tuples of leaves, and what is made of them: a
// layout is two tuples around a colon, a composition several values around an o. Dialects differ in how they open a
// tuple: with a parenthesis, with Shape< or make_shape( or cute::tuple<, with a quotation mark inside an MLIR type.
// Those are names, and roles.go says what each name builds.
//
// The search tries a value wherever one can begin, and passes over all other text. No input makes it panic. The time is
// linear in the length of the input: a start that failed is never tried again, nesting is limited by [MaxDepth], and
// the input by [MaxInput].
//
// # Text that girih writes
//
// The output of girih show --as is read as the same value. In calls of C++ and Python a bare name is a symbol, and so
// is arithmetic on names that girih can write: ceil(M/128) for ceil_div(M, 128), cute.ceil_div(M, 128) or -(-M // 128).
// Members, subscripts and other calls are ?. The comment after such a text says which names replace a ?, and what
// divides the others: n0: run-time int; K % 8 == 0. There are three exceptions: MLIR types have no names; a call with
// two bare names, such as make_layout(shape, stride), is taken as a call with tuples; and a bare word - M, None, True -
// is prose.
//
// # Text that girih's language does not have
//
// A leaf known only at run time is ?, with its facts as ?{div=8} or ?{i64 div=8}. A name stays a name: M, 8T,
// ceil(M/128). A rational coefficient is 1/16@0. Values with named parts are records: a name, and fields in the order
// of the source, such as blocked{sizePerThread=[1,4], order=[1,0]}.
package reader
