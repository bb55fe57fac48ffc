// Package compat models what other implementations of CuTe's layout algebra answer: CuTe C++ with integers of compile
// time and of run time, the CuTe DSL, and pycute.
//
// They do not agree with each other, and each is wrong somewhere. A [Query] is an operation on operands;
// [Query.Answer] is what a [Dialect] returns for it, [Query.Judge] what that is worth by the definition of the
// operation, and [Run] counts the verdicts over a file of operations.
//
// A model follows the algorithm of its original: what it sorts, in which direction it merges, which conditions it
// checks, where a quotient drops its remainder. It computes with trees of integers of its own and calls nothing of
// package cute, so the two can be held against each other. The sources are those of CUTLASS 4.x, all BSD-3-Clause:
// include/cute/layout.hpp, cutlass_compiler/cutegen/include/cutegen/layout.hpp and python/pycute/layout.py.
//
// The models are tested against what the originals printed: the 12,000 rows of conformance/algebra.jsonl for the DSL,
// those of conformance/cute/cpp_unit.tsv for C++ with integers of both sorts, and digests of what pycute and the C++
// headers printed on the corpus.
//
// Integers have 64 bits. C++ computes with int where its user does, and Python's integers have no end, so where an
// intermediate number leaves 64 bits a model says that it does not know.
package compat
