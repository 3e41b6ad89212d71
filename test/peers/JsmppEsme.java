import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jsmpp.bean.*;
import org.jsmpp.extra.SessionState;
import org.jsmpp.session.*;

/** A customer of jsmpp: `PORT SYSTEM_ID PASSWORD PARTS HEX…`: submits the parts of one long message, and tells its ids, receipts and texts. */
public final class JsmppEsme {
    public static void main(String[] args) throws Exception {
        int parts = Integer.parseInt(args[3]);
        CountDownLatch receipts = new CountDownLatch(parts);
        CountDownLatch texts = new CountDownLatch(1);
        SMPPSession session = new SMPPSession();
        session.setMessageReceiverListener(new MessageReceiverListener() {
            @Override
            public void onAcceptDeliverSm(DeliverSm deliver) {
                try {
                    if (MessageType.SMSC_DEL_RECEIPT.containedIn(deliver.getEsmClass())) {
                        DeliveryReceipt receipt = deliver.getShortMessageAsDeliveryReceipt();
                        Told.line("receipt", "id", receipt.getId(), "state", receipt.getFinalStatus().name());
                        receipts.countDown();
                    } else {
                        Told.line("text", "source", deliver.getSourceAddr(), "octets", Told.hex(deliver.getShortMessage()));
                        texts.countDown();
                    }
                } catch (Exception failure) {
                    Told.line("failed", "words", String.valueOf(failure));
                }
            }
            @Override
            public void onAcceptAlertNotification(AlertNotification alert) {}
            @Override
            public DataSmResult onAcceptDataSm(DataSm data, Session source) { return null; }
        });
        session.connectAndBind("127.0.0.1", Integer.parseInt(args[0]), new BindParameter(BindType.BIND_TRX, args[1], args[2],
            "", TypeOfNumber.UNKNOWN, NumberingPlanIndicator.UNKNOWN, ""));
        for (int part = 0; part < parts; part++) {
            SubmitSmResult result = session.submitShortMessage("", TypeOfNumber.NATIONAL, NumberingPlanIndicator.ISDN, "30001234",
                TypeOfNumber.INTERNATIONAL, NumberingPlanIndicator.ISDN, "989121234500", new ESMClass(0x40), (byte) 0, (byte) 0, "", "",
                new RegisteredDelivery(SMSCDeliveryReceipt.SUCCESS_FAILURE), (byte) 0, new RawDataCoding((byte) 8), (byte) 0,
                octetsOf(args[4 + part]));
            Told.line("submitted", "id", result.getMessageId());
        }
        receipts.await(30, TimeUnit.SECONDS);
        texts.await(30, TimeUnit.SECONDS);
        session.unbindAndClose();
        Told.line("ended");
        System.exit(0);
    }

    private static byte[] octetsOf(String hex) {
        byte[] octets = new byte[hex.length() / 2];
        for (int index = 0; index < octets.length; index++)
            octets[index] = (byte) Integer.parseInt(hex.substring(2 * index, 2 * index + 2), 16);
        return octets;
    }
}
