//go:build !kernels

package service

import "slices"

// Only an engine with the tag kernels has the simulator of kernels.

// absent are the operations that this engine lacks.
var absent = []string{"check", "compat", "copy", "follow", "gemm", "kernel", "lint", "litmus", "sim"}

// absentHint is the hint of the error about an operation that there is not.
func absentHint(name string) string {
	if slices.Contains(absent, name) {
		return "this page has no simulator of kernels: girih serve and the command line have it"
	}
	return ""
}

func gemmOperation() Operation { return Operation{} }

func simOperation() Operation { return Operation{} }

func followOperation() Operation { return Operation{} }

func checkOperation() Operation { return Operation{} }

func checkToolOperation() Operation { return Operation{} }

func lintOperation() Operation { return Operation{} }

func litmusOperation() Operation { return Operation{} }

func kernelOperation() Operation { return Operation{} }

func copyOperation() Operation { return Operation{} }
