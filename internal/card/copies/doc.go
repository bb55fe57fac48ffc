// Package copies is girih-gpu copy and girih-gpu bench: it runs the copies that package kernel/copy plans, checks every
// byte, and times them against the card's own copy and, in Python, the copies of PyTorch and CuPy.
//
// copy.go reads the request, run.go executes and times a copy, and bench.go does so for the table in cases.go. open*.go
// has copies with run-time sizes, counters.go the counters of Nsight Compute, and peers.go the Python process.
package copies
