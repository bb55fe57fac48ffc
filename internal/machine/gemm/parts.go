package gemm

import (
	"runtime"
	"sync"
	"sync/atomic"

	"girih/internal/ints"
)

// This file divides long work among the processors. The parts do not depend on the number of processors, so neither do
// the results.

// Parts divides 0 to n into parts of the given length (the last part may be shorter) and calls f for each of them, on
// all processors. It returns the error of the first part that fails; later parts may not have run then.
func Parts(n, length int64, f func(from, to int64) error) error {
	parts := ints.CeilDiv(n, length)
	workers := min(int64(runtime.GOMAXPROCS(0)), parts)
	errs := make([]error, parts)
	var next atomic.Int64
	var failed atomic.Bool
	var wait sync.WaitGroup
	for range workers {
		wait.Go(func() {
			for !failed.Load() {
				i := next.Add(1) - 1
				if i >= parts {
					return
				}
				if errs[i] = f(i*length, min((i+1)*length, n)); errs[i] != nil {
					failed.Store(true)
				}
			}
		})
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// allTiles computes all tiles of D, one column of tiles at a time.
func (r *run) allTiles() error {
	workers := make(chan *run, min(runtime.GOMAXPROCS(0), int(r.ledger.Tiles[1])))
	for range cap(workers) {
		workers <- r.worker()
	}
	tile := r.k.Tile
	err := Parts(r.ledger.Tiles[1], 1, func(n, _ int64) error {
		w := <-workers
		defer func() { workers <- w }()
		for m := range r.ledger.Tiles[0] {
			if err := w.tile(m*tile[0], n*tile[1]); err != nil {
				return err
			}
		}
		return nil
	})
	for range cap(workers) {
		r.join(<-workers)
	}
	return err
}

// worker returns a run of the same kernel and problem that has its own memory and counts.
func (r *run) worker() *run {
	w := *r
	w.a, w.b = r.a.again(), r.b.again()
	w.acc, w.product = make([]float64, len(r.acc)), r.product.Clone()
	w.ledger = Ledger{}
	return &w
}

// join adds the counts of a worker.
func (r *run) join(w *run) {
	r.ledger.Instructions += w.ledger.Instructions
	r.ledger.Products += w.ledger.Products
	r.ledger.Useful += w.ledger.Useful
	for _, m := range [][2]*mover{{r.a, w.a}, {r.b, w.b}} {
		for i, s := range m[1].stages {
			m[0].stages[i].join(s)
		}
	}
}

// again returns the mover with its own shared memory and counts.
func (m *mover) again() *mover {
	x := *m
	x.memory = make([]float64, len(m.memory))
	x.stages = nil
	for range m.stages {
		x.stages = append(x.stages, new(Stage))
	}
	return &x
}

// chunk is the length of a part of a list of numbers.
const chunk = 1 << 16
