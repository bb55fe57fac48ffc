package chain

// Rows returns the edges between threads.
func Rows() []Row { return rows }
