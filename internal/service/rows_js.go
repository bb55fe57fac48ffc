package service

// In a browser there are no models of other implementations, and no simulated kernels.

// absentHint is the hint of the error about an operation that there is not.
const absentHint = "this page has no simulator of kernels: girih serve and the command line have it"

func compatOperation() Operation { return Operation{} }

func gemmOperation() Operation { return Operation{} }

func simOperation() Operation { return Operation{} }

func followOperation() Operation { return Operation{} }

func checkOperation() Operation { return Operation{} }

func checkToolOperation() Operation { return Operation{} }

func lintOperation() Operation { return Operation{} }

func litmusOperation() Operation { return Operation{} }

func kernelOperation() Operation { return Operation{} }

func copyOperation() Operation { return Operation{} }
