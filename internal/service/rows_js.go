package service

// In a browser there are no models of other implementations.

func compatOperation() Operation { return Operation{} }
