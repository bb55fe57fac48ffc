// Package gemms is girih-gpu gemm: it runs matrix products on a card or in the simulator, compares them with the exact
// product, and compares the counted memory traffic with the predicted one.
//
// gemm.go reads the request, product.go makes the kernel, place.go runs it, run.go draws the numbers and describes the
// outcome, predict.go counts the traffic. all.go does this for every atom of a card, table.go prints.
package gemms
