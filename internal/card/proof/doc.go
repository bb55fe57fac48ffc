// Package proof compares girih with cards: girih-gpu truth (tables of instructions; scalar instructions with --scalar),
// descriptors (those of wgmma), tensormaps, memory (bank conflicts and sectors), and selftest, which tries some of
// everything in a minute.
//
// What is tried, and which result is right, is in packages truth, truth/scalar and probe; this package runs it on a card
// and reports.
package proof
