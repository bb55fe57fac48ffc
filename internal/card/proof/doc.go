// Package proof compares girih with cards: girih-gpu truth (tables of instructions; scalar instructions with --scalar),
// descriptors (for wgmma), tensormaps, memory (bank conflicts and sectors), and selftest, which tries some of
// everything in a minute.
//
// Packages truth, truth/scalar and probe choose the experiments and know the right results. This package runs them on
// a card and reports.
package proof
