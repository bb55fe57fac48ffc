package gemm

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// This file divides long work among the processors. Parts do not depend on how many there are, so that results do not.

// Parts calls f for all parts of 0 to n, each that long but the last one, on all processors. It returns the error of
// the first part that has one; later parts may not be done then.
func Parts(n, length int64, f func(from, to int64) error) error {
	parts := tiles(n, length)
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

// chunk is the length of a part of a list of numbers.
const chunk = 1 << 16
