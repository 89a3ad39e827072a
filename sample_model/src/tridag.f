C     TRIDAG - THOMAS ALGORITHM FOR ONE COLUMN
C
C     A(K)*X(K-1) + B(K)*X(K) + C(K)*X(K+1) = D(K),  K = K1,...,K2
C     A(K1) AND C(K2) ARE NOT USED.  X, G ARE OVERWRITTEN.
C     NO PIVOTING: THE MATRICES OF THIS MODEL ARE DIAGONALLY DOMINANT.
C
      SUBROUTINE TRIDAG(K1, K2, A, B, C, D, X, G)
      INTEGER K1, K2, K
      DOUBLE PRECISION A(*), B(*), C(*), D(*), X(*), G(*)
      DOUBLE PRECISION BET
      BET = B(K1)
      X(K1) = D(K1)/BET
      DO 10 K = K1 + 1, K2
        G(K) = C(K-1)/BET
        BET = B(K) - A(K)*G(K)
        X(K) = (D(K) - A(K)*X(K-1))/BET
   10 CONTINUE
      DO 20 K = K2 - 1, K1, -1
        X(K) = X(K) - G(K+1)*X(K+1)
   20 CONTINUE
      RETURN
      END
C
C     SMOOTH - ONE PASS OF A 1-2-1 FILTER ALONG A COLUMN (SHAPIRO 1970)
C     APPLIED TO THE EDDY DIFFUSIVITY.  THE ENDS KEEP THEIR VALUES.
C
      SUBROUTINE SMOOTH(N, F)
      INTEGER N, K
      DOUBLE PRECISION F(*), FM, FK
      IF (N .LT. 3) GO TO 40
      FM = F(1)
      DO 30 K = 2, N - 1
        FK = F(K)
        F(K) = 0.25D0*(FM + 2.0D0*FK + F(K+1))
        FM = FK
   30 CONTINUE
   40 RETURN
      END
