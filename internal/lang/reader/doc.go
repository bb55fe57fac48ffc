// Package reader finds layouts in what people paste, whoever printed or wrote it.
//
// People rarely have a layout in one clean spelling. They have a line that CuTe printed, with a pointer before the
// layout; a C++ type from a compiler error; the source of a call; an MLIR type; a Triton encoding; a dump of a
// TiledMMA among lines of a log; a grid of offsets. [Read] takes any such text and returns the values in it, in
// order, each as text in girih's own language with its place in the input, and says what it left out: an engine, an
// address, a parenthesis that it had to supply.
//
// # How it works
//
// One tokeniser serves all dialects. One recursive-descent parser knows one thing, a tuple of leaves, and the few
// things made of it: a layout is two of them around a colon, a composition several values around an o. What
// differs between dialects is how a tuple is opened: with a parenthesis, with Shape< or make_shape( or cute::tuple<,
// with a quotation mark inside an MLIR type. Those are names, and a table says what each name builds. Forms that live
// on several lines - dumps, grids, lists of bases - are read by line, and their parts by the same parser.
//
// Around that, a search walks over the tokens and tries a value wherever one can begin. Text that is none is passed
// over. No input makes it panic, and the time is linear in the length of the input: a start that failed is never tried
// again, nesting is limited by [MaxDepth], and the input by [MaxInput].
//
// # Text that girih writes
//
// What girih show --as writes is read, and is the same value: in calls of C++ and Python a bare name is a symbol, and
// so is what girih can compute of names, ceil(M/128) of ceil_div(M, 128), cute.ceil_div(M, 128) or -(-M // 128).
// Members, subscripts and other calls are ?. The comment behind such a text says which names stand for ?, and what
// divides the others: n0: run-time int; K % 8 == 0. The exceptions: MLIR types have no names, a call of two bare names
// such as make_layout(shape, stride) is taken for one of tuples, and a bare word - M, None, True - for prose.
//
// # Text of what girih's language does not have
//
// A leaf known at run time only is ?, with what is known of it as ?{div=8} or ?{i64 div=8}. A name stays a name: M,
// 8T, ceil(M/128). A rational coefficient is 1/16@0. Values with named parts are records: a name, and fields in the
// order of the source, such as blocked{sizePerThread=[1,4], order=[1,0]}.
package reader
