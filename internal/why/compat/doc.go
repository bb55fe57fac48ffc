// Package compat models how other implementations of CuTe's layout algebra answer: CuTe C++ with integers known at
// compile time and at run time, the CuTe DSL, and pycute.
//
// The implementations do not agree with each other, and each is wrong somewhere. A [Query] is an operation on operands.
// [Query.Answer] returns the answer of a [Dialect], [Query.Judge] compares an answer with the definition of the
// operation, and [Run] counts the verdicts over a file of operations.
//
// A model follows the algorithm of its original: how it sorts, in which direction it merges, which conditions it
// checks, where a quotient drops its remainder. The models have their own trees of integers and do not use package
// cute, so that each side can check the other. The sources are CUTLASS 4.x, all BSD-3-Clause: include/cute/layout.hpp,
// cutlass_compiler/cutegen/include/cutegen/layout.hpp and python/pycute/layout.py.
//
// The models are tested against output of the originals: the 12,000 rows of conformance/algebra.jsonl for the DSL,
// conformance/cute/cpp_unit.tsv for C++ with both kinds of integers, and digests of what pycute and the C++ headers
// print for the corpus.
//
// Integers have 64 bits. C++ computes with int if the user's code does, and Python's integers are unbounded, so a model
// has no answer if an intermediate number exceeds 64 bits.
package compat
