      SUBROUTINE TALLY(A, N)
      INTEGER N, I
      DOUBLE PRECISION A(N), SUM
      COMMON /BOOK/ SUM, KOUNT
      IF (N .LE. 0) RETURN
      DO 10 I = 1, N
   10 SUM = SUM + A(I)
      KOUNT = KOUNT + 1
      IF (KOUNT .GT. 3) THEN
        A(1) = SUM
        RETURN
      END IF
      A(2) = A(2) + KOUNT
      END
